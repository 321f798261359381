import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript-5.9'
import { root } from './compilers.ts'

/** What editors ask of TypeScript, in a folder of sources, beside which somebody types. */
export class Editor {
  readonly #folder: string
  readonly #file: string
  readonly #head: string
  readonly #service: ts.LanguageService
  #text = ''
  #version = 0

  /**
   * @param files Source text by path.
   * @param head What the file begins with that somebody types in; one line.
   */
  constructor(files: Readonly<Record<string, string>>, head: string) {
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
    this.#folder = mkdtempSync(join(root, 'node_modules/.cache/editor-'))
    this.#file = join(this.#folder, 'use.ts')
    this.#head = `${head}\n`
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true })
      writeFileSync(join(this.#folder, path), text)
    }
    const settings = {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      types: [],
    }
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => settings,
      getScriptFileNames: () => [this.#file],
      getScriptVersion: (path) => (path === this.#file ? String(this.#version) : '1'),
      getScriptSnapshot: (path) => {
        const text = path === this.#file ? this.#text : ts.sys.readFile(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => this.#folder,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (path) => path === this.#file || ts.sys.fileExists(path),
      readFile: ts.sys.readFile,
    })
  }

  /** The names that are offered at the bar. */
  completions(source: string): string[] {
    const position = this.#type(source)
    const found = this.#service.getCompletionsAtPosition(this.#file, position, {})
    return (found?.entries ?? []).map(({ name }) => name)
  }

  /** The first lines of what is underlined. */
  problems(source: string): string[] {
    this.#type(source)
    return this.#service
      .getSemanticDiagnostics(this.#file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? '')
  }

  /** What the last answer took the compiler, which forgets with each edit. */
  instantiations(): number {
    return this.#service.getProgram()?.getInstantiationCount() ?? Number.NaN
  }

  close(): void {
    this.#service.dispose()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** @returns Where the bar was. */
  #type(source: string): number {
    const [before = '', after = ''] = source.split('|')
    this.#text = `${this.#head}${before}${after}\n`
    this.#version++
    return this.#head.length + before.length
  }
}
