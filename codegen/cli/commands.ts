import type { CommandEntry } from './command.ts'

/** All commands, in the order of the help. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'Set up a project: one package, or a monorepo with contract, worker and agent.',
    load: async () => (await import('./init-command.ts')).initCommand,
  },
  generate: {
    summary:
      'Write types, validators and wiring for the declared Tools; --check in CI, --watch while you work.',
    load: async () => (await import('./generate-command.ts')).generateCommand,
  },
  scaffold: {
    summary: 'Write typed stubs for Tools without an Activity; list missing and orphaned ones.',
    load: async () => (await import('./scaffold-command.ts')).scaffoldCommand,
  },
  lint: {
    summary: 'Report everything about the definitions: notes, limits and losses of each dialect.',
    load: async () => (await import('./lint-command.ts')).lintCommand,
  },
  diff: {
    summary: 'Compare the contract with an earlier one: what changed, and what breaks for whom.',
    load: async () => (await import('./diff-command.ts')).diffCommand,
  },
  explain: {
    summary: 'Show one Tool as each dialect sees it: schema, size, losses.',
    load: async () => (await import('./explain-command.ts')).explainCommand,
  },
  find: {
    summary: 'Search for Tools by a question; --eval measures how often the right ones are found.',
    load: async () => (await import('./find-command.ts')).findCommand,
  },
  serve: {
    summary: 'Serve the Tools to other programs, over HTTP and MCP.',
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  studio: {
    summary: 'Open a page to inspect the Tools and run Calls.',
    load: async () => (await import('./studio-command.ts')).studioCommand,
  },
  call: {
    summary: 'Run one Call, here or on a server, with options from its schema.',
    load: async () => (await import('./call-command.ts')).callCommand,
  },
  completion: {
    summary: 'Print a shell script that completes commands, Tools and parameters.',
    load: async () => (await import('./completion-command.ts')).completionCommand,
  },
  import: {
    summary: 'Convert existing tools (MCP, OpenAI, JSON Schema) to definitions.',
    load: async () => (await import('./import-command.ts')).importCommand,
  },
}
