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
  const paint = (open: number, close: number) => (text: string) =>
    colours ? `\x1b[${open}m${text}\x1b[${close}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
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
