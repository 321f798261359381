/** Cuts a text to `most` characters and marks the cut with `…`: names and texts can come from models. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
