import { resolve } from 'node:path'
import { findConfig } from '../config/find-config.ts'
import { findingAnnotation } from '../findings/finding-text.ts'
import type { Finding } from '../model.ts'
import { isInside } from '../paths/is-inside.ts'
import { portablePath } from '../paths/portable-path.ts'
import { realFileSystem } from '../write/file-system.ts'
import type { Given } from './command.ts'
import { configOptions } from './config-options.ts'
import type { Terminal } from './terminal.ts'

/**
 * Writes findings as annotations of GitHub Actions. Those are shown beside files of the repository, so that the paths of a
 * package within it get the way to the package in front.
 *
 * @param root The folder that the paths of the findings are relative to.
 */
export function showAnnotations(findings: readonly Finding[], root: string, terminal: Terminal): void {
  terminal.out(
    findings
      .map((finding) => `${findingAnnotation(inRepository(finding, root, terminal)).trimEnd()}\n`)
      .join(''),
  )
}

/** The folder that the paths of a project's findings are relative to. */
export function projectRoot(given: Given, terminal: Terminal): string {
  const { cwd = terminal.cwd } = configOptions(given, terminal)
  return findConfig(cwd, given.values.get('config'), realFileSystem).root
}

function inRepository(finding: Finding, root: string, { repository }: Terminal): Finding {
  if (!finding.at || repository === undefined) return finding
  const path = resolve(root, finding.at.file)
  if (!isInside(path, repository)) return finding
  return { ...finding, at: { ...finding.at, file: portablePath(repository, path) } }
}
