import { ALL_TYPES } from '@stoa/cms-model/keys.ts'
import type { DeliveryPrincipal } from '../../principal.ts'

/** Whether the key is for entries of this type; it says nothing about whether there is such a type. */
export const readsType = ({ types }: Pick<DeliveryPrincipal, 'types'>, typeName: string): boolean =>
  types.includes(ALL_TYPES) || types.includes(typeName)
