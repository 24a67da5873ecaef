import { constants, isMade, text } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { SieveRuntimeError } from '../problems.ts'

/** RFC 5463. What it asks is known when the script is compiled; the block of a test that fails is not looked at. */
export const ihave = defineExtension({
  name: 'ihave',
  tests: {
    ihave: {
      positional: ['strings'],
      check: (call) => (isMade(call.values[0]) ? 'the name of an extension has to be written out' : null),
      constant: (call, scope) => {
        const names = constants(call, 0)
        if (!names.every((name) => scope.isAvailable(name))) return false
        for (const name of names) scope.enable(name)
        return true
      },
      test: (call, run) => constants(call, 0).every((name) => run.script.language.extensions.has(name)),
    },
  },
  commands: {
    error: {
      positional: ['string'],
      run: (call, run) => {
        throw new SieveRuntimeError(text(call, 0, run).slice(0, 1000))
      },
    },
  },
})
