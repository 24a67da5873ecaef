#!/usr/bin/env node
// `npx @stoa/cms-plugin new|build|check <folder>`
import { runPluginCommand } from './commands/command-line.ts'

process.exitCode = await runPluginCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
})
