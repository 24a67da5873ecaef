import { fieldTypeNames } from '@stoa/cms-model/fields/define.ts'
import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { asJson, given } from './proposing.ts'

const members = {
  key: z.string().describe('camelCase'),
  type: z.enum(fieldTypeNames),
  label: z.string().optional(),
  help: z.string().optional(),
  required: z.boolean().optional(),
  options: z.array(z.strictObject({ value: z.string(), label: z.string().optional() })).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  to: z.string().describe('Type name for reference').optional(),
}

/** A field as a model describes it: one `min` and `max` for all types, and lists of one level. */
export const proposedField = z.strictObject({ ...members, fields: z.array(z.strictObject(members)).optional() })
export type ProposedField = z.infer<typeof proposedField>

type Limits = { readonly min: string; readonly max: string }

const LENGTH: Limits = { min: 'minLength', max: 'maxLength' }
const ITEMS: Limits = { min: 'minItems', max: 'maxItems' }

/** What a field of the type calls its limits. */
const limits: { readonly [type: string]: Limits } = {
  text: LENGTH,
  textarea: LENGTH,
  richtext: LENGTH,
  markdown: LENGTH,
  multiselect: ITEMS,
  gallery: ITEMS,
  reference: ITEMS,
  list: ITEMS,
}

/** The field as content types take it. */
export const toField = ({ min, max, fields, ...field }: ProposedField): { readonly [member: string]: Json } => {
  const names = limits[field.type] ?? { min: 'min', max: 'max' }
  return given({
    ...field,
    [names.min]: min,
    [names.max]: max,
    fields: fields && asJson(fields.map((inner) => toField(inner))),
  })
}
