import { type FieldType, fieldTypeNames, fieldTypes } from '@stoa/cms-model/fields/types/index.ts'
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

/** What a field of the type calls its limits: those of its length, of its items or of its value. */
const limitsOf = (type: FieldType): { min: string; max: string } => {
  const options = Object.keys(fieldTypes[type].options.shape)
  const what = ['Length', 'Items'].find((name) => options.includes(`min${name}`)) ?? ''
  return { min: `min${what}`, max: `max${what}` }
}

/** The field as content types take it. */
export const toField = ({ min, max, fields, ...field }: ProposedField): { readonly [member: string]: Json } => {
  const names = limitsOf(field.type)
  return given({
    ...field,
    [names.min]: min,
    [names.max]: max,
    fields: fields && asJson(fields.map((inner) => toField(inner))),
  })
}
