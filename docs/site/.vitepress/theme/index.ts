// The theme without web fonts, so that the site uses the reader's system fonts.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
