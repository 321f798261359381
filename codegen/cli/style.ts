import { styleText } from 'node:util'

/** Marks up people's text; each function returns the text as it is where there are no colours. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
}

/** The style of a terminal. */
export function styleFor(colours: boolean): Style {
  // Whether there are colours has been decided by `wantsColours`; Node would ask standard output, where data goes.
  const paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow') => (text: string) =>
    colours ? styleText(format, text, { validateStream: false }) : text
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
  }
}

/** The surroundings that decide about colours. */
export interface ColourHints {
  readonly isTTY: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/** True on a terminal, unless `NO_COLOR` says otherwise; `FORCE_COLOR` asks for colours anywhere. */
export function wantsColours({ isTTY, env }: ColourHints): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true
  return isTTY && env.TERM !== 'dumb'
}
