// A Node that is too old lacks `styleText`, and shall say that it is too old.
import * as util from 'node:util'

/** Colours text. Each function returns the text unchanged if colours are off. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
}

/** Creates the style of a terminal. */
export function styleFor(colours: boolean): Style {
  // `wantsColours` has decided already; Node would check standard output, which is for data.
  const paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow') => (text: string) =>
    colours ? util.styleText(format, text, { validateStream: false }) : text
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
  }
}

/** The facts that decide about colours. */
export interface ColourHints {
  readonly isTTY: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Whether to use colours: on a terminal, unless `NO_COLOR` is set. `FORCE_COLOR` enables them everywhere. */
export function wantsColours({ isTTY, env }: ColourHints): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true
  return isTTY && env.TERM !== 'dumb'
}
