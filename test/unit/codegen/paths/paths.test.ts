import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isInside } from '../../../../codegen/paths/is-inside.ts'
import { portablePath, wayWithin, withForwardSlashes } from '../../../../codegen/paths/portable-path.ts'

describe('paths on Windows and elsewhere', () => {
  test.each([
    ['C:\\work\\shop', 'C:\\work\\shop\\definitions\\pay.ts', win32, 'definitions/pay.ts'],
    ['C:\\work\\shop', 'c:\\WORK\\shop\\a.ts', win32, 'a.ts'],
    ['C:\\work\\shop', 'C:\\work\\other\\a.ts', win32, '../other/a.ts'],
    ['C:\\work', 'D:\\work\\a.ts', win32, 'D:/work/a.ts'],
    ['\\\\server\\share\\shop', '\\\\server\\share\\shop\\a.ts', win32, 'a.ts'],
    ['/work/shop', '/work/shop/definitions/pay.ts', posix, 'definitions/pay.ts'],
    ['/work/shop', '/work/shop/odd\\name.ts', posix, 'odd\\name.ts'],
    ['/work/shop', '/work/shop', posix, ''],
  ])('from %s to %s', (folder, file, rules, expected) => {
    expect(portablePath(folder, file, rules)).toBe(expected)
  })

  test.each([
    ['C:\\work\\shop\\a', 'C:\\work\\shop', win32, true],
    ['C:\\work\\shop', 'C:\\work\\shop', win32, true],
    ['C:\\work\\shopping', 'C:\\work\\shop', win32, false],
    ['C:\\work', 'C:\\work\\shop', win32, false],
    ['D:\\work\\shop\\a', 'C:\\work\\shop', win32, false],
    ['C:\\work\\shop\\..secret', 'C:\\work\\shop', win32, true],
    ['/work/shop/a', '/work/shop', posix, true],
    ['/work/shopping', '/work/shop', posix, false],
    ['/work', '/work/shop', posix, false],
    ['/work/shop/..a', '/work/shop', posix, true],
  ])('%s in %s', (place, folder, rules, expected) => {
    expect(isInside(place, folder, rules)).toBe(expected)
  })

  test.each([
    ['generated', 'definitions/pay.ts', '../definitions/pay.ts'],
    ['../gen', 'definitions/pay.ts', '../contract/definitions/pay.ts'],
    ['../worker/activities', 'generated/index', '../../contract/generated/index'],
  ])('the way from %s to %s is the root’s, wherever the process runs', (folder, file, expected) => {
    expect(wayWithin('/work/contract', folder, file)).toBe(expected)
  })

  test('a list of a folder has forward slashes', () => {
    expect(withForwardSlashes('runs\\today\\a.json', win32)).toBe('runs/today/a.json')
    expect(withForwardSlashes('runs/a\\b.json', posix)).toBe('runs/a\\b.json')
  })
})
