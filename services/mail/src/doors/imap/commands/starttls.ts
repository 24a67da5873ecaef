import { defineCommand, ok } from '../command.ts'

/** RFC 9051 §6.2.1. */
export const starttls = defineCommand({
  name: 'STARTTLS',
  states: ['start'],
  capabilities: ({ state, connection }) => (state === 'start' && connection.mayStartTls ? ['STARTTLS'] : []),
  parse: () => null,
  async run({ connection }) {
    if (!connection.mayStartTls) return { status: 'BAD', text: 'STARTTLS is not available' }
    connection.afterAnswer('startTls')
    return ok('Begin TLS now')
  },
})
