import type { CommandEntry } from './command.ts'

/** Every command, in the order in which the help lists them. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'Set a project up: one package, or a monorepo of contract, worker and agent.',
    load: async () => (await import('./init-command.ts')).initCommand,
  },
  generate: {
    summary:
      'Write types, validators and wiring for the declared Tools; --check in CI, --watch while you work.',
    load: async () => (await import('./generate-command.ts')).generateCommand,
  },
  scaffold: {
    summary: 'Write typed stubs for Tools without an Activity; say which are missing or orphaned.',
    load: async () => (await import('./scaffold-command.ts')).scaffoldCommand,
  },
  lint: {
    summary: 'Report everything about the definitions: notes, limits and losses of each dialect.',
    load: async () => (await import('./lint-command.ts')).lintCommand,
  },
  diff: {
    summary: 'Compare the contract with an earlier one: what changed, for whom, and what breaks.',
    load: async () => (await import('./diff-command.ts')).diffCommand,
  },
  explain: {
    summary: 'Show one Tool as each dialect sees it: schema, size, losses.',
    load: async () => (await import('./explain-command.ts')).explainCommand,
  },
  find: {
    summary: 'Find the Tools that fit a question; --eval measures how often the right ones are found.',
    load: async () => (await import('./find-command.ts')).findCommand,
  },
  serve: {
    summary: 'Serve the Tools to other programs, over HTTP and MCP.',
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  studio: {
    summary: 'Open a page on which to look at the Tools and run their Calls.',
    load: async () => (await import('./studio-command.ts')).studioCommand,
  },
  call: {
    summary: 'Run one Call, here or at a server, with options made from its schema.',
    load: async () => (await import('./call-command.ts')).callCommand,
  },
  completion: {
    summary: 'Print what a shell needs to complete commands, Tools and their parameters.',
    load: async () => (await import('./completion-command.ts')).completionCommand,
  },
  import: {
    summary: 'Turn existing tools (MCP, OpenAI, JSON Schema) into definitions.',
    load: async () => (await import('./import-command.ts')).importCommand,
  },
}
