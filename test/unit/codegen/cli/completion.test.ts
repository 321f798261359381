import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sampleProject } from '../../../sample-project.ts'
import { fill, temporaryFolder } from '../write/temporary-folder.ts'
import { callsheet, project } from './in-terminal.ts'

const root = join(import.meta.dirname, '../../../..')
const sample = sampleProject()

/** What could stand at the end of a line in the sample's project. */
async function words(...line: readonly string[]): Promise<string[]> {
  const { code, out, err } = await callsheet(sample, ['completion', 'words', ...line])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.split('\n').flatMap((each) => each.split('\t')[0] || [])
}

describe('SERVE-7 what could stand at the cursor', () => {
  test.each([
    ['commands', ['se'], ['serve']],
    ['commands after help', ['help', 'ge'], ['generate']],
    ['options of a command', ['serve', '--po'], ['--port']],
    ['options that are not there yet', ['serve', '--port', '1', '--po'], []],
    ['choices of an option', ['generate', '--format', ''], ['text', 'json', 'github']],
    ['choices after an equals sign', ['generate', '--format=j'], ['--format=json']],
    ['choices as bash splits them', ['generate', '--format', '=', 'j'], ['--format=json']],
    ['files for a value that is free', ['serve', '--options', ''], []],
    ['files for an operand', ['import', 'REA'], []],
    ['Tools', ['call', 'Phrase'], ['PhraseEmphasis.bold', 'PhraseEmphasis.italic']],
    ['parameters of a Tool', ['call', 'searchText', '--qu'], ['--query']],
    [
      'parameters of a Tool of another set of options',
      ['call', 'searchText', '--cwd', sample, '--wh'],
      ['--where'],
    ],
    ['nothing of a Tool that is not there but the options of the command', ['call', 'nope', '--qu'], []],
    ['nothing after an unknown command', ['constructor', ''], []],
  ])('%s', async (_, line, wanted) => {
    expect(await words(...line)).toEqual(wanted)
  })

  test('parameters stand before the options of the command, with what they mean', async () => {
    const { out } = await callsheet(sample, ['completion', 'words', 'call', 'searchText', ''])
    const lines = out.split('\n')
    expect(lines[0]).toBe('--query\tWhat to look for, as plain text')
    expect(lines.map((line) => line.split('\t')[0])).toEqual(
      expect.arrayContaining(['--json', '--url', '--help']),
    )
  })

  test.each([
    [['completion'], 'takes the name of one shell, got none'],
    [['completion', 'bsh'], 'Did you mean "bash"?'],
    [['completion', 'bash', 'more'], 'takes the name of one shell'],
  ])('wrong usage: %j', async (args, text) => {
    expect(await callsheet(sample, args)).toMatchObject({ code: 2, err: expect.stringContaining(text) })
  })
})

/** A folder with the built command on its PATH, a project with a Tool of hostile choices, and what shells need. */
function shellProject() {
  const folder = project({
    'definitions/mark.ts': `import { Type } from 'typebox'
import { tool } from 'callsheet'

export const mark = tool('mark', {
  level: Type.Union([Type.Literal('low'), Type.Literal('$(touch pwned)'), Type.Literal('a b; touch pwned'), Type.Literal('x\\nlow2')]),
}, { description: 'Marks something.' })
`,
    'activities.ts': `import { writeFileSync } from 'node:fs'
import { Activity } from './generated/index.js'
writeFileSync('ran', '')
Activity.register('mark', () => undefined)
`,
  })
  fill(folder, { 'bin/callsheet': `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/cli.js" "$@"\n` })
  mkdirSync(join(folder, 'node_modules/callsheet'), { recursive: true })
  execFileSync('cp', [
    '-r',
    join(root, 'package.json'),
    join(root, 'dist'),
    join(folder, 'node_modules/callsheet'),
  ])
  execFileSync('chmod', ['+x', join(folder, 'bin/callsheet')])
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  execFileSync('callsheet', ['generate', '--silent'], { cwd: folder, env })
  return { folder, env }
}

/** What a real bash puts on the line, for words as it has split them. */
function inBash({ folder, env }: ReturnType<typeof shellProject>, ...line: readonly string[]): string[] {
  const script = `eval "$(callsheet completion bash)"
complete -p callsheet >&2
COMP_WORDS=(callsheet "$@")
COMP_CWORD=$#
_callsheet_completion
printf '%s\\n' "\${COMPREPLY[@]}"`
  const ran = spawnSync('bash', ['--norc', '-c', script, 'bash', ...line], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect(ran.stderr).toBe('complete -o default -F _callsheet_completion callsheet\n')
  return ran.stdout.split('\n').filter((each) => each !== '')
}

// Shells of POSIX, and programs that are scripts of one.
describe.skipIf(process.platform === 'win32')('SERVE-7 in shells', () => {
  test('bash completes commands, Tools, parameters and values; what is hostile is quoted, and nothing runs', () => {
    const shell = shellProject()
    expect(inBash(shell, 'ca')).toEqual(['call'])
    expect(inBash(shell, 'call', 'm')).toEqual(['mark'])
    expect(inBash(shell, 'call', 'mark', '--le')).toEqual(['--level'])
    expect(inBash(shell, 'call', 'mark', '--level', 'l')).toEqual(['low'])
    expect(inBash(shell, 'generate', '--format', '=', 'j')).toEqual(['json'])
    expect(inBash(shell, 'generate', '--format', '=')).toEqual(['text', 'json', 'github'])
    const [harmless, command, list, ...more] = inBash(shell, 'call', 'mark', '--level', '')
    expect([harmless, command, list, more]).toEqual([
      'low',
      '\\$\\(touch\\ pwned\\)',
      'a\\ b\\;\\ touch\\ pwned',
      [],
    ])
    inBash(shell, 'call', '$(touch pwned)`touch pwned`', '--"; touch pwned; "')
    expect(existsSync(join(shell.folder, 'pwned'))).toBe(false)
    // To complete a line runs no code of the project's Activities.
    expect(existsSync(join(shell.folder, 'ran'))).toBe(false)
  })

  test.each([
    ['bash', ['bash', '-n']],
    ['zsh', ['zsh', '-n']],
    ['fish', ['fish', '--no-execute']],
  ] as const)(
    'the script for %s is one that the shell reads, where it is installed',
    async (shell, [command, flag]) => {
      const { out } = await callsheet(sample, ['completion', shell])
      expect(out).toContain('callsheet')
      const file = join(temporaryFolder(), 'script')
      writeFileSync(file, out)
      const { error, status, stderr } = spawnSync(command, [flag, file], { encoding: 'utf8' })
      if (error && 'code' in error && error.code === 'ENOENT') return
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    },
  )
})
