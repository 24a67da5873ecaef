import { instance, instanceInput } from '@stoa/mail-model/instance.ts'
import { route } from '../../context.ts'
import { getInstance, updateInstance } from './instance.ts'

export const instanceRoutes = [
  route({
    method: 'GET',
    path: '/api/instance',
    summary: 'Read the instance settings',
    auth: ['session'],
    access: 'owner',
    output: instance,
    run: getInstance,
  }),
  route({
    method: 'PATCH',
    path: '/api/instance',
    summary: 'Change the instance settings: sign-ups, DNS lists and greylisting',
    auth: ['session'],
    access: 'owner',
    body: instanceInput,
    output: instance,
    run: (ctx, { body }) => updateInstance(ctx, body),
  }),
]
