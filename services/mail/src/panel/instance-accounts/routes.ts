import {
  instanceAccount,
  instanceAccountList,
  instanceAccountListQuery,
  instanceAccountUpdate,
  resetSignInInput,
  suspendInput,
} from '@stoa/mail-model/instance-accounts.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import {
  changeAccount,
  getAccount,
  getAccounts,
  loadAccount,
  resetSignInOf,
  resume,
  suspend,
} from './instance-accounts.ts'

const account = z.object({ account_id: z.uuid() })

/** The accounts of the instance, for its owner. */
export const instanceAccountRoutes = [
  route({
    method: 'GET',
    path: '/api/instance/accounts',
    summary: 'List the accounts of the instance',
    auth: ['session'],
    access: 'owner',
    query: instanceAccountListQuery,
    output: instanceAccountList,
    run: (ctx, { query }) => getAccounts(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/api/instance/accounts/:account_id',
    summary: 'Read an account',
    auth: ['session'],
    access: 'owner',
    params: account,
    output: instanceAccount,
    load: loadAccount,
    run: (ctx, { loaded }) => getAccount(ctx, loaded),
  }),
  route({
    method: 'PATCH',
    path: '/api/instance/accounts/:account_id',
    summary: "Change an account's plan or limits",
    auth: ['session'],
    access: 'owner',
    params: account,
    body: instanceAccountUpdate,
    output: instanceAccount,
    load: loadAccount,
    run: (ctx, { loaded, body }) => changeAccount(ctx, loaded, body),
  }),
  route({
    method: 'POST',
    path: '/api/instance/accounts/:account_id/suspend',
    summary: 'Stop an account from sending mail',
    auth: ['session'],
    access: 'owner',
    params: account,
    body: suspendInput,
    output: instanceAccount,
    load: loadAccount,
    run: (ctx, { loaded, body }) => suspend(ctx, loaded, body),
  }),
  route({
    method: 'POST',
    path: '/api/instance/accounts/:account_id/resume',
    summary: 'Let an account send mail again',
    auth: ['session'],
    access: 'owner',
    params: account,
    output: instanceAccount,
    load: loadAccount,
    run: (ctx, { loaded }) => resume(ctx, loaded),
  }),
  route({
    method: 'POST',
    path: '/api/instance/accounts/:account_id/reset-sign-in',
    summary: 'Sign an account out everywhere and mail it a password reset link',
    auth: ['session'],
    access: 'owner',
    params: account,
    body: resetSignInInput,
    output: instanceAccount,
    load: loadAccount,
    run: (ctx, { loaded, body }) => resetSignInOf(ctx, loaded, body),
  }),
]
