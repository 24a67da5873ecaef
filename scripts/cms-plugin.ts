// `npm run cms:plugin -- new|build|check <folder>`: writes, bundles and checks plugins of the CMS.
import { runPluginCommand } from '@stoa/cms-plugin/commands/command-line.ts'
import { printError } from './terminal.ts'

const main = (args: string[]): Promise<number> =>
  runPluginCommand(args, {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  })

if (import.meta.main) process.exit(await main(process.argv.slice(2)).catch(printError))
