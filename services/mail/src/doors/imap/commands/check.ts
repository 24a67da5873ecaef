import { defineCommand, ok } from '../command.ts'

/** RFC 3501 §6.4.1: everything is on the disk already. */
export const check = defineCommand({
  name: 'CHECK',
  states: ['selected'],
  parse: () => null,
  run: async () => ok('Done'),
})
