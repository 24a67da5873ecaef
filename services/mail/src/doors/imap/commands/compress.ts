import { defineCommand, no, ok } from '../command.ts'
import { bad } from '../parse/bad-command.ts'

/** RFC 4978. */
export const compress = defineCommand({
  name: 'COMPRESS',
  states: ['signedIn', 'selected'],
  capabilities: ({ state, connection }) => (state === 'start' || connection.isCompressed ? [] : ['COMPRESS=DEFLATE']),
  parse: (args) => args.takeKeyword('DEFLATE') ?? bad('Only DEFLATE is supported'),
  async run({ connection }) {
    if (connection.isCompressed) return no('Compression is already active', 'COMPRESSIONACTIVE')
    connection.afterAnswer('compress')
    return ok('Compression active')
  },
})
