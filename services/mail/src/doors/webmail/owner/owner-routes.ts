import { passwordInput, sessionList, sessionListQuery, sessionRevocation } from '@stoa/mail-model/accounts.ts'
import {
  appPasswordDeleted,
  appPasswordInput,
  appPasswordList,
  appPasswordListQuery,
  createdAppPassword,
} from '@stoa/mail-model/app-passwords.ts'
import {
  contact,
  contactDeleted,
  contactInput,
  contactList,
  contactListQuery,
  contactUpdate,
  suggestionList,
  suggestionListQuery,
} from '@stoa/mail-model/contacts.ts'
import {
  identity,
  identityDeleted,
  identityInput,
  identityList,
  identityListQuery,
  identityUpdate,
} from '@stoa/mail-model/identities.ts'
import { mailboxSettings, mailboxSettingsInput } from '@stoa/mail-model/mailbox-settings.ts'
import { vacation, vacationInput } from '@stoa/mail-model/vacation.ts'
import { mailbox } from '@stoa/mail-model/webmail.ts'
import { z } from 'zod'
import { route } from '../../../context.ts'
import {
  addContact,
  changeContact,
  getContacts,
  getSuggestions,
  loadContact,
  removeContact,
} from '../../../sending/contacts/contacts.ts'
import { addOwnAppPassword, getOwnAppPasswords, loadOwnAppPassword, removeOwnAppPassword } from './app-passwords.ts'
import { addIdentity, changeIdentity, getIdentities, loadIdentity, removeIdentity } from './identities.ts'
import { changeMailboxPassword } from './password.ts'
import { getWebmailSessions, revokeOtherWebmailSessions } from './sessions.ts'
import { changeSettings, getSettings } from './settings.ts'
import { getVacation, putVacation } from './vacation.ts'

const own = { auth: ['webmail'], access: 'mailbox' } as const

const identityRoutes = [
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/identities',
    summary: 'List identities',
    query: identityListQuery,
    output: identityList,
    run: (ctx, { query }) => getIdentities(ctx, query),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/identities',
    summary: 'Create an identity with an alias of the mailbox',
    body: identityInput,
    output: identity,
    status: 201,
    run: (ctx, { body }) => addIdentity(ctx, body),
  }),
  route({
    ...own,
    method: 'PATCH',
    path: '/api/mail/identities/:identity_id',
    summary: 'Update an identity',
    params: z.object({ identity_id: z.uuid() }),
    body: identityUpdate,
    output: identity,
    load: loadIdentity,
    run: (ctx, { loaded, body }) => changeIdentity(ctx, loaded, body),
  }),
  route({
    ...own,
    method: 'DELETE',
    path: '/api/mail/identities/:identity_id',
    summary: 'Delete an identity',
    params: z.object({ identity_id: z.uuid() }),
    output: identityDeleted,
    load: loadIdentity,
    run: (ctx, { loaded }) => removeIdentity(ctx, loaded),
  }),
]

const appPasswordRoutes = [
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/app-passwords',
    summary: 'List app passwords of the mailbox',
    query: appPasswordListQuery,
    output: appPasswordList,
    run: (ctx, { query }) => getOwnAppPasswords(ctx, query),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/app-passwords',
    summary: 'Create an app password; the token is returned once',
    body: appPasswordInput,
    output: createdAppPassword,
    status: 201,
    run: (ctx, { body }) => addOwnAppPassword(ctx, body),
  }),
  route({
    ...own,
    method: 'DELETE',
    path: '/api/mail/app-passwords/:app_password_id',
    summary: 'Revoke an app password and close its connections',
    params: z.object({ app_password_id: z.uuid() }),
    output: appPasswordDeleted,
    load: loadOwnAppPassword,
    run: (ctx, { loaded }) => removeOwnAppPassword(ctx, loaded),
  }),
]

const securityRoutes = [
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/sessions',
    summary: 'List active sessions of the mailbox',
    query: sessionListQuery,
    output: sessionList,
    run: (ctx, { query }) => getWebmailSessions(ctx, query),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/sessions/revoke-others',
    summary: 'Sign out every other browser',
    output: sessionRevocation,
    run: revokeOtherWebmailSessions,
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/password',
    summary: 'Change the mailbox password; revokes app passwords and other sessions',
    body: passwordInput,
    output: mailbox,
    run: (ctx, { body }) => changeMailboxPassword(ctx, body),
  }),
]

const contactRoutes = [
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/contacts',
    summary: 'List contacts',
    query: contactListQuery,
    output: contactList,
    run: (ctx, { query }) => getContacts(ctx, query),
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/contacts/suggestions',
    summary: 'Suggest recipients: contacts, and people who wrote to the mailbox',
    query: suggestionListQuery,
    output: suggestionList,
    run: (ctx, { query }) => getSuggestions(ctx, query),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/contacts',
    summary: 'Add a contact',
    body: contactInput,
    output: contact,
    status: 201,
    run: (ctx, { body }) => addContact(ctx, body),
  }),
  route({
    ...own,
    method: 'PATCH',
    path: '/api/mail/contacts/:contact_id',
    summary: 'Update a contact',
    params: z.object({ contact_id: z.uuid() }),
    body: contactUpdate,
    output: contact,
    load: loadContact,
    run: (ctx, { loaded, body }) => changeContact(ctx, loaded, body),
  }),
  route({
    ...own,
    method: 'DELETE',
    path: '/api/mail/contacts/:contact_id',
    summary: 'Remove a contact',
    params: z.object({ contact_id: z.uuid() }),
    output: contactDeleted,
    load: loadContact,
    run: (ctx, { loaded }) => removeContact(ctx, loaded),
  }),
]

/** What the owner of a mailbox keeps beside the mail. */
export const ownerRoutes = [
  ...identityRoutes,
  ...appPasswordRoutes,
  ...securityRoutes,
  ...contactRoutes,
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/vacation',
    summary: 'Read the automatic reply',
    output: vacation,
    run: getVacation,
  }),
  route({
    ...own,
    method: 'PUT',
    path: '/api/mail/vacation',
    summary: 'Set the automatic reply',
    body: vacationInput,
    output: vacation,
    run: (ctx, { body }) => putVacation(ctx, body),
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/settings',
    summary: 'Read webmail settings',
    output: mailboxSettings,
    run: getSettings,
  }),
  route({
    ...own,
    method: 'PATCH',
    path: '/api/mail/settings',
    summary: 'Update webmail settings',
    body: mailboxSettingsInput,
    output: mailboxSettings,
    run: (ctx, { body }) => changeSettings(ctx, body),
  }),
]
