import { clock } from 'stoa'

export const routes = {
  'GET /hello': ({ actor }) => ({ text: `Hello, ${actor.name}`, at: clock.now().toISOString() }),
}
