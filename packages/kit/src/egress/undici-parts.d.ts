// Parts of undici that have types under its main name only.

declare module 'undici/lib/api/index.js' {
  export const request: import('undici').Dispatcher['request']
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici'
  export = errors
}

declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'
  export = Agent
}

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export = Client
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import { Dispatcher } from 'undici'
  export = Dispatcher
}
