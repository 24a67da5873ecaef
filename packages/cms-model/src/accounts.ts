import { z } from 'zod'
import { moment } from './moments.ts'
import { permissions, roles } from './permissions.ts'

const MIN_PASSWORD_BYTES = 8
const MAX_PASSWORD_BYTES = 1024
/** RFC 5321 §4.5.3.1.3: a path is 256 octets with its angle brackets. */
const MAX_EMAIL_LENGTH = 254
const MAX_NAME_LENGTH = 200

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

/** An address to store; around it there is no space. */
export const email = z
  .string()
  .trim()
  .max(MAX_EMAIL_LENGTH, `must have at most ${MAX_EMAIL_LENGTH} characters`)
  .pipe(z.email('must be an email address like name@example.com'))

/** What people call each other. */
export const personName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(/^\P{Cc}*$/u, 'must be on one line')

/** A password to set. */
export const newPassword = z
  .string()
  .refine((text) => sizeOf(text) >= MIN_PASSWORD_BYTES, `must have at least ${MIN_PASSWORD_BYTES} characters`)
  .refine((text) => sizeOf(text) <= MAX_PASSWORD_BYTES, `must have at most ${MAX_PASSWORD_BYTES} bytes`)

/** A password to check: whatever it was, it was not longer than this. */
export const givenPassword = z
  .string()
  .min(1, 'must not be empty')
  .refine((text) => sizeOf(text) <= MAX_PASSWORD_BYTES, `must have at most ${MAX_PASSWORD_BYTES} bytes`)

/** Digits of an authenticator app or a recovery code: the longest is `xxxxx-xxxxx` with some spaces. */
const MAX_CODE_LENGTH = 32

/** A second factor to check, as typed. */
export const givenCode = z.string().trim().min(1, 'must not be empty').max(MAX_CODE_LENGTH)

export const role = z.enum(roles)

/** An address to look for: any text, so that what cannot be one is answered like what could have been. */
const givenEmail = z.string().trim().min(1, 'must not be empty').max(MAX_EMAIL_LENGTH)

/** Longer than any token of a link. */
const MAX_TOKEN_LENGTH = 200

/** The token of a link, as it was followed. */
export const givenToken = z.string().min(1, 'must not be empty').max(MAX_TOKEN_LENGTH, 'is not valid')

export const setupInput = z.strictObject({ email, name: personName, password: newPassword })
export type SetupInput = z.infer<typeof setupInput>

export const loginInput = z.strictObject({
  email: givenEmail,
  password: givenPassword,
  /** Asked with TOTP_REQUIRED; without two-factor authentication it is not looked at. */
  code: givenCode.optional(),
})
export type LoginInput = z.infer<typeof loginInput>

export const changePasswordInput = z.strictObject({ currentPassword: givenPassword, newPassword })
export type ChangePasswordInput = z.infer<typeof changePasswordInput>

export const forgotInput = z.strictObject({ email: givenEmail })
/** The same answer for every request. */
export const forgotten = z.object({ accepted: z.literal(true) })

export const resetInput = z.strictObject({ token: givenToken, password: newPassword })
export type ResetInput = z.infer<typeof resetInput>

/** Only the members sent change. */
export const updateMeInput = z.strictObject({
  name: personName.optional(),
  /** A raster image of the media library; null takes the picture away. */
  avatarId: z.uuid().nullable().optional(),
  version: z.int().min(1).optional(),
})
export type UpdateMeInput = z.infer<typeof updateMeInput>

export const createUserInput = z.strictObject({ email, name: personName, role, password: newPassword })
export type CreateUserInput = z.infer<typeof createUserInput>

/** Only the members sent change. */
export const updateUserInput = z.strictObject({
  email: email.optional(),
  name: personName.optional(),
  role: role.optional(),
  password: newPassword.optional(),
  version: z.int().min(1).optional(),
})
export type UpdateUserInput = z.infer<typeof updateUserInput>

/** Someone who can sign in, as people with users.manage see them. */
export const user = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role,
  /** Where their picture is; null without one. */
  avatarUrl: z.string().nullable(),
  /** A second factor is asked at sign-in. */
  totp: z.boolean(),
  version: z.int(),
  createdAt: moment,
  updatedAt: moment,
})
export type User = z.infer<typeof user>

/** Someone in the list of people. */
export const listedUser = user.extend({
  /** The latest use of any of their sessions; null if there are none. */
  lastSeenAt: moment.nullable(),
})
export type ListedUser = z.infer<typeof listedUser>

/** The signed-in person. */
export const me = user.extend({ permissions: z.array(z.enum(permissions)) })
export type Me = z.infer<typeof me>

export const signedIn = z.object({ token: z.string(), expiresAt: moment, user: me })
export type SignedIn = z.infer<typeof signedIn>

export const siteStatus = z.object({
  /** The site has its first owner. */
  setup: z.boolean(),
  /** A forgotten password can be replaced by a link in a mail. */
  resetByMail: z.boolean(),
})
export type SiteStatus = z.infer<typeof siteStatus>

export const session = z.object({
  id: z.uuid(),
  /** This very request's session. */
  current: z.boolean(),
  ip: z.string(),
  userAgent: z.string().nullable(),
  createdAt: moment,
  lastSeenAt: moment,
  expiresAt: moment,
})
export type Session = z.infer<typeof session>
