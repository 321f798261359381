import { describe, expect, test } from 'vitest'
import { styleFor } from '../../../../codegen/cli/style.ts'
import { visibleControls } from '../../../../codegen/cli/visible-controls.ts'

describe('what a terminal would obey is spelt out', () => {
  test.each([
    ['a line that is written over', 'refused\rpaid', String.raw`refused\u000dpaid`],
    ['a screen that is cleared', 'a\u001b[2Jb', String.raw`a\u001b[2Jb`],
    ['a window that is renamed', '\u001b]0;x\u0007', String.raw`\u001b]0;x\u0007`],
    ['text that is hidden', '\u001b[8msecret', String.raw`\u001b[8msecret`],
    ['a sequence of eight bits', '\u009b31m', String.raw`\u009b31m`],
    ['an order that is turned round', '\u202egnp.exe', String.raw`\u202egnp.exe`],
  ])('%s', (_what, given, shown) => {
    expect(visibleControls(given)).toBe(shown)
  })

  test('lines, tabs, letters of any script and our own colours stay', () => {
    const style = styleFor(true)
    const painted = [style.bold('a'), style.dim('b'), style.red('c'), style.green('d'), style.yellow('e')]
    const text = [...painted, 'é ה 漢 🙂 \u200f', 'a\tb\r\nc'].join('\n')
    expect(visibleControls(text)).toBe(text)
  })
})
