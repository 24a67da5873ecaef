import type { Instance } from '@stoa/mail-model/instance.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => sendSignedIn<Instance>('GET', '/api/instance', { signal }),
})

export const saveInstance = (body: Pick<Instance, 'signups'>) =>
  sendSignedIn<Instance>('PATCH', '/api/instance', { body })
