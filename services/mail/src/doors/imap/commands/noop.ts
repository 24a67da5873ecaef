import { defineCommand, ok } from '../command.ts'

/** RFC 9051 §6.1.2: what changed is reported after every command. */
export const noop = defineCommand({
  name: 'NOOP',
  states: ['start', 'signedIn', 'selected'],
  parse: () => null,
  run: async () => ok('Done'),
})
