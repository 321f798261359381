import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const { dependencies } = JSON.parse(read('test/interop/package.json')) as {
  dependencies: Record<string, string>
}

const pages = readdirSync(new URL('../../docs/interop', import.meta.url))

test.each(pages)('GEN-9 docs/interop/%s installs the versions that its example is tested with', (page) => {
  const installed = [...read(`docs/interop/${page}`).matchAll(/^npm install callsheet (.+)$/gm)]
    .flatMap(([, packages = '']) => packages.split(' '))
    .map((wanted) => wanted.split(/(?<=.)@/))
  expect(installed.length).toBeGreaterThan(0)
  for (const [name = '', version] of installed) expect([name, version]).toEqual([name, dependencies[name]])
})
