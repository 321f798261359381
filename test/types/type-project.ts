/** One wrong use, the codes that the compilers give, and what the message must tell. */
export interface Misuse {
  /** One line. */
  readonly source: string
  /** One, or several with spaces between: the compilers differ in a few. */
  readonly code: string
  readonly tells: readonly string[]
  /** True where the compiler’s own first line says less, and what must be told stands below it. */
  readonly below?: true
}

/**
 * A folder of sources beside which types are tested. All of them go into one program for each compiler and kind of
 * question, since most of what a program takes is reading the libraries.
 */
export interface TypeProject {
  readonly files: Readonly<Record<string, string>>
  /** Statements that must compile, and whose declarations can be written. */
  readonly right: string
  /** What a use begins with; one line. */
  readonly imports: string
  readonly wrong: Readonly<Record<string, Misuse>>
}

type Sources = Record<string, string>

/** The sources of projects with what is right. */
export function rightSources(projects: Readonly<Record<string, TypeProject>>): Sources {
  return inFolders(projects, ({ files, imports, right }) => ({
    ...files,
    'right.ts': `${imports}\n${right}`,
  }))
}

/** The sources of projects with what is wrong: a line for each, from the second on. */
export function wrongSources(projects: Readonly<Record<string, TypeProject>>): Sources {
  return inFolders(projects, ({ files, imports, wrong }) => ({
    ...files,
    'wrong.ts': [imports, ...Object.values(wrong).map(({ source }) => source), ''].join('\n'),
  }))
}

function inFolders(
  projects: Readonly<Record<string, TypeProject>>,
  sources: (project: TypeProject) => Sources,
): Sources {
  return Object.fromEntries(
    Object.entries(projects).flatMap(([folder, project]) =>
      Object.entries(sources(project)).map(([path, text]) => [`${folder}/${path}`, text]),
    ),
  )
}
