import { signal } from '@preact/signals'

type Theme = 'light' | 'dark'

const stored = 'callsheet-theme'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const theme = signal<Theme>(read() ?? (systemIsDark.matches ? 'dark' : 'light'))

theme.subscribe((chosen) => {
  document.documentElement.dataset.theme = chosen
})
systemIsDark.addEventListener('change', ({ matches }) => {
  if (read() === undefined) theme.value = matches ? 'dark' : 'light'
})

function read(): Theme | undefined {
  const found = localStorage.getItem(stored)
  return found === 'light' || found === 'dark' ? found : undefined
}

/** Switches between light and dark. The system's setting applies until it is used. */
export function ThemeButton() {
  const other = theme.value === 'dark' ? 'light' : 'dark'
  return (
    <button
      type="button"
      class="theme"
      aria-label={`Change to ${other} colours`}
      title={`Change to ${other} colours`}
      onClick={() => {
        localStorage.setItem(stored, other)
        theme.value = other
      }}
    >
      {theme.value === 'dark' ? '☾' : '☀'}
    </button>
  )
}
