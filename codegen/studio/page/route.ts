import { signal } from '@preact/signals'

/** Where in the studio somebody is: the parts of the address after the hash, decoded. */
export const route = signal<readonly string[]>(read())

addEventListener('hashchange', () => {
  route.value = read()
})

/** The address of a place in the studio. */
export function href(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

export function go(...parts: readonly string[]): void {
  location.hash = href(...parts)
}

function read(): string[] {
  const parts = location.hash.replace(/^#\/?/, '').split('/')
  return parts.filter((part) => part !== '').map(decoded)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
