import { tool } from 'callsheet'
import { Type } from 'typebox'

export const pushFiles = tool('push_files', {
  branch: Type.String({ description: 'Branch to push to' }),
  files: Type.Array(Type.Object({
    content: Type.String({ description: 'file content' }),
    path: Type.String({ description: 'path to the file' }),
  }, { additionalProperties: false }), {
    description: 'Array of file objects to push, each object with path (string) and content (string)',
  }),
  message: Type.String({ description: 'Commit message' }),
  owner: Type.String({ description: 'Repository owner' }),
  repo: Type.String({ description: 'Repository name' }),
  _output: Type.Unknown(),
}, {
  description: 'Push multiple files to a GitHub repository in a single commit',
  // The source does not say. Change it to "read" or "idempotent" where that is true.
  effects: 'write',
})
