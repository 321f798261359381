/** Cuts a text that is longer than `most` characters, and marks the cut. Names and texts come from models, too. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
