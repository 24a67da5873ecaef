import { join, resolve } from 'node:path'
import { manifestSchemaText } from '../manifest-schema.ts'
import { bridgeScript, buildPlugin } from './build.ts'
import { checkPlugin } from './check.ts'
import { newPlugin } from './new.ts'

export type Terminal = { cwd: string; print: (line: string) => void; printError: (line: string) => void }

const USAGE = `Usage: npm run cms:plugin -- <command> <folder>

  new     create a small working plugin, named after the folder
  build   bundle src/server.ts and src/screens/* of the plugin
  check   check the plugin for problems
  bridge  print the bridge as one script, for screens without a build
  schema  print the JSON schema of plugin.json`

/** Runs one command; gives the exit code. */
export const runPluginCommand = async (
  [command, given, ...rest]: readonly string[],
  terminal: Terminal,
): Promise<number> => {
  const { cwd, print } = terminal
  if (command === 'schema' || command === 'bridge') {
    print((command === 'schema' ? manifestSchemaText() : await bridgeScript()).trimEnd())
    return 0
  }
  const run = command === undefined ? undefined : commands.get(command)
  if (!run || given === undefined || rest.length > 0) {
    terminal.printError(USAGE)
    return 2
  }
  return run(resolve(cwd, given), terminal)
}

type Command = (folder: string, terminal: Terminal) => Promise<number> | number

const report = (problems: readonly string[], { printError }: Terminal): number => {
  for (const problem of problems) printError(`✗ ${problem}`)
  return problems.length > 0 ? 1 : 0
}

const commands = new Map<string, Command>([
  [
    'new',
    (folder, terminal) => {
      const { written, problems } = newPlugin(folder)
      if (problems.length > 0) return report(problems, terminal)
      for (const file of written) terminal.print(`  ${join(folder, file)}`)
      terminal.print('Plugin created. Next: build it, then check it')
      return 0
    },
  ],
  [
    'build',
    async (folder, terminal) => {
      const { written, problems } = await buildPlugin(folder)
      for (const file of written) terminal.print(`  ${join(folder, file)}`)
      return report(problems, terminal)
    },
  ],
  [
    'check',
    (folder, terminal) => {
      const { problems, hints } = checkPlugin(folder)
      for (const hint of hints) terminal.print(`· ${hint}`)
      if (problems.length === 0) terminal.print('✓ No problems found')
      return report(problems, terminal)
    },
  ],
])
