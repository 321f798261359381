/**
 * True for names such as `toString` and `constructor`, which JavaScript and TypeScript find in an object without a member of that
 * name. `__proto__` is refused elsewhere.
 */
export function isInheritedName(name: string): boolean {
  return name !== '__proto__' && Object.hasOwn(Object.prototype, name)
}
