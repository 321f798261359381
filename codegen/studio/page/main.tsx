import './style/studio.css'
import { render } from 'preact'
import { Studio } from './studio.tsx'

render(<Studio />, document.getElementById('studio') as HTMLElement)
