#!/usr/bin/env node
// `npx @stoa/cms-plugin new|build|check <folder>`
import { runPluginCommand } from './commands/command-line.ts'

process.exitCode = await runPluginCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
})
