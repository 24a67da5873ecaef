import { defineCommand, ok } from '../command.ts'
import { unfollow } from '../search/contexts.ts'
import { viewOf } from '../search/run.ts'

/** RFC 5267 §4.3.4: searches that shall not be kept up to date any more. */
export const cancelupdate = defineCommand<string[]>({
  name: 'CANCELUPDATE',
  states: ['selected'],
  parse(args) {
    const tags = [args.string()]
    while (args.take(' ')) tags.push(args.string())
    return tags
  },
  async run(session, tags) {
    unfollow(viewOf(session), tags)
    return ok('Updates canceled')
  },
})
