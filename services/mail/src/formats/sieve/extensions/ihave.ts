import { constants, isMade, text } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import type { Language } from '../language.ts'
import { SieveRuntimeError } from '../problems.ts'

/**
 * RFC 5463 §4: an extension that changes how strings are read cannot be asked for, because strings around the test
 * would be read in one way or the other.
 */
const isUsable = ({ extensions }: Language, name: string): boolean => {
  const extension = extensions.get(name)
  return extension !== undefined && extension.strings === undefined
}

/** RFC 5463. What it asks is known when the script is compiled; the block of a test that fails is not looked at. */
export const ihave = defineExtension({
  name: 'ihave',
  tests: {
    ihave: {
      positional: ['strings'],
      check: (call) => (isMade(call.values[0]) ? "the extension name can't contain variables" : null),
      constant: (call, scope) => {
        const names = constants(call, 0)
        if (!names.every((name) => isUsable(call.script.language, name))) return false
        for (const name of names) scope.enable(name)
        return true
      },
      test: (call, run) => constants(call, 0).every((name) => isUsable(run.script.language, name)),
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
