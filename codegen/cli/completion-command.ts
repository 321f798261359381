import { GeneratorError } from '../generator-error.ts'
import { didYouMean } from '../names/nearest-name.ts'
import type { CommandEntry, LineCommand } from './command.ts'
import { completionScripts } from './completion-scripts.ts'
import { candidates } from './completion-words.ts'
import { asksForHelp, commandHelp } from './help.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

const shells = Object.keys(completionScripts)

export const completionCommand: LineCommand = {
  operands: 'SHELL',
  about: `Prints what a shell needs to complete \`callsheet\` when you press Tab: commands, options, their values, and with
\`call\` the Tools and parameters of the project or server. SHELL is ${shells.slice(0, -1).join(', ')} or ${shells.at(-1)}.`,
  options: {},
  examples: [
    ['eval "$(callsheet completion bash)"', 'in ~/.bashrc'],
    ['eval "$(callsheet completion zsh)"', 'in ~/.zshrc, after compinit'],
    ['callsheet completion fish | source', 'in ~/.config/fish/config.fish'],
  ],
  runLine,
}

async function runLine(
  args: readonly string[],
  terminal: Terminal,
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<ExitCode> {
  const [shell, ...words] = args
  // The completion scripts call this. The words belong to another command, so none is an option of this one.
  if (shell === 'words') {
    const found = await candidates(words, commands, terminal)
    terminal.out(found.map(({ word, help }) => `${word}\t${help}\n`).join(''))
    return exitCode.ok
  }
  if (asksForHelp(args)) {
    terminal.out(commandHelp('completion', completionCommand, styleFor(terminal.colours)))
    return exitCode.ok
  }
  const script =
    shell !== undefined && Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined
  if (script === undefined || words.length > 0) {
    const got = args.length === 0 ? 'none' : `"${args.join(' ')}"`
    throw new GeneratorError('invalid_usage', [
      {
        message: `completion takes the name of one shell, got ${got}.${didYouMean(shell ?? '', shells)}`,
        fix: `Name one of ${shells.join(', ')}.`,
      },
    ])
  }
  terminal.out(script)
  return exitCode.ok
}
