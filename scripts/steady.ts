// `npm run steady -- <part of a path>… [times]`: repeats test files beside a load on all cores, in another order each
// time, and fails when one of them fails once. A file that has passed is trusted.
import { root } from './environment.ts'
import { runSteady } from './steady-run.ts'
import { printError } from './terminal.ts'
import { onTestGround } from './test-ground.ts'

process.exit(await runSteady(process.argv.slice(2), { root, onGround: onTestGround }).catch(printError))
