import { tool } from 'callsheet'
import { Type } from 'typebox'

export const updateIssueAssignees = tool('update_issue_assignees', {
  assignees: Type.Array(Type.Unsafe<unknown>({
    oneOf: [
      { description: 'GitHub username', type: 'string' },
      {
        properties: {
          confidence: {
            description: "How confident you are in this choice. Use 'HIGH' for clear signal or explicit user request, 'MEDIUM' for reasonable inference with some ambiguity, 'LOW' for best guess with limited signal.",
            enum: ['LOW', 'MEDIUM', 'HIGH'],
            type: 'string',
          },
          is_suggestion: {
            description: 'If true, this assignee is sent to the API as a suggestion (suggest:true) rather than an applied assignee. Whether the assignee is applied or recorded as a proposal is determined by the API.',
            type: 'boolean',
          },
          login: { description: 'GitHub username', type: 'string' },
          rationale: {
            description: "One concise sentence explaining what specifically about the issue led you to choose this assignee. State the concrete signal (e.g. 'Authored the file the crash originates in').",
            maxLength: 280,
            type: 'string',
          },
        },
        required: ['login'],
        type: 'object',
      },
    ],
  }), { description: 'GitHub usernames to assign to this issue.' }),
  issue_number: Type.Number({ description: 'The issue number to update', minimum: 1 }),
  owner: Type.String({ description: 'Repository owner (username or organization)' }),
  repo: Type.String({ description: 'Repository name' }),
  _output: Type.Unknown(),
}, {
  description: 'Update the assignees of an existing issue. This replaces the current assignees with the provided list. When setting values, include a confidence level (LOW, MEDIUM, or HIGH) reflecting how certain you are about the choice.',
  // The source does not say. Change it to "read" or "idempotent" where that is true.
  effects: 'write',
})
