import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, writePage } from './lay-out.ts'
import { underlined } from './underline.ts'

const project = join(root, 'docs/site/.landing')

/**
 * Writes the landing page. Nothing on it is typed by hand: this generates, compiles and runs the project in docs/site/landing,
 * and puts its code, the compiler's message and the output into the placeholders of docs/site/landing/index.md.
 */
export function writeLandingPage(): void {
  makeProject()
  const page = readFileSync(join(root, 'docs/site/landing/index.md'), 'utf8')
  const shown = page.replaceAll(/^<!-- (\w+)(?:: (\S+))? -->$/gm, (_whole, what: string, which = '') =>
    show(what, which),
  )
  writePage('index.md', shown)
}

function makeProject(): void {
  rmSync(project, { recursive: true, force: true })
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  cpSync(join(root, 'docs/site/landing'), project, { recursive: true })
  symlinkSync(root, join(project, 'node_modules/callsheet'), 'dir')
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['run.ts', 'wrong.ts'] }),
  )
  runNode('dist/cli.js', 'generate')
}

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  types: ['node'],
  skipLibCheck: true,
  noEmit: true,
}

/** Runs one of the repository's scripts in the project. */
function runNode(script: string, ...args: string[]): string {
  const options: ExecFileSyncOptions = { cwd: project, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' }
  return String(execFileSync(process.execPath, [join(root, script), ...args], options))
}

function show(what: string, which: string): string {
  if (what === 'file') return fence('ts', which, read(which))
  if (what === 'output')
    return fence('text', 'npx tsx run.ts', runNode('node_modules/tsx/dist/cli.mjs', which))
  if (what === 'excerpt') return excerpt(which)
  if (what === 'wrong') return wrongCode()
  if (what === 'studio') return studioPicture()
  throw new Error(`docs/site/landing/index.md has the unknown placeholder "${what}".`)
}

const read = (file: string): string => readFileSync(join(project, file), 'utf8')

const fence = (language: string, title: string, code: string): string =>
  `\`\`\`${language} [${title}]\n${code.trimEnd()}\n\`\`\``

/** Returns a few lines of a generated file as a code block. */
function excerpt(which: string): string {
  if (which === 'types') {
    const interfaces = ['Arguments', 'Output'].map((part) =>
      partOf(read('generated/types.ts'), `export interface Forecast${part} {`, '\n}'),
    )
    return fence('ts', 'types.ts', interfaces.join('\n\n'))
  }
  if (which === 'check') {
    return fence('ts', 'checks', partOf(read('generated/tools/forecast.ts'), 'export const checks', '\n}, '))
  }
  const line = read('generated/composed/openai.json')
    .split('\n')
    .find((text) => text.includes('"const":"forecast"'))
  if (line === undefined) throw new Error('The composed schema has no line for forecast.')
  const schema = JSON.stringify(JSON.parse(line.trim().replace(/,$/, '')), null, 1)
  return fence('json', 'openai.json', schema)
}

/** Returns the part of a text from `start` to `end`, both included. */
function partOf(text: string, start: string, end: string): string {
  const from = text.indexOf(start)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`The generated code has no "${start}" … "${end}" any more.`)
  return text.slice(from, to + end.length)
}

/** Returns the wrong code with the compiler's message; throws unless there is exactly one error. */
function wrongCode(): string {
  const printed = compilerOutput()
  const own = /^wrong\.ts\((\d+),(\d+)\): (error TS\d+: .+)$/gm
  const [found, ...others] = [...printed.matchAll(own)]
  if (found === undefined || others.length > 0 || /^run\.ts/m.test(printed)) {
    throw new Error(`The landing page needs exactly one compiler error, in wrong.ts. Got:\n${printed}`)
  }
  const [, line = '', column = '', message = ''] = found
  const lines = read('wrong.ts').trimEnd().split('\n')
  const at = Number(line) - 1
  const before = lines[at]?.slice(0, Number(column) - 1) ?? ''
  const after = lines[at]?.slice(before.length) ?? ''
  lines[at] = before + after.replace(/^\w+/, (word) => `${underlined.start}${word}${underlined.end}`)
  return `${fence('ts', 'plan.ts', lines.join('\n'))}\n\n<p class="compiler">${escaped(message)}</p>`
}

function compilerOutput(): string {
  try {
    return runNode('node_modules/typescript/bin/tsc', '-p', '.', '--pretty', 'false')
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns the section with the studio's picture, or nothing if docs/ has no such picture. */
function studioPicture(): string {
  const picture = 'studio.png'
  if (!existsSync(join(root, 'docs', picture))) return ''
  const alt = 'The studio: the Tools, the form and the JSON of a Call, and a problem at its field'
  return [
    '<section class="wide">\n\n## 5. Look\n\nwith `npx callsheet studio`.\n',
    `<figure><a href="./studio.html"><img src="./${picture}" alt="${alt}"></a></figure>\n\n</section>`,
  ].join('\n')
}
