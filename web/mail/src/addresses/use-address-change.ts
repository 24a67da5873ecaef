import type { Address } from '@stoa/mail-model/addresses.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { ADDRESSES, type AddressChanges, addressQuery, updateAddress } from './queries.ts'

type Change = { address: Address; changes: AddressChanges }

/** Changes settings of an address at once; a refusal is shown and leaves everything as it was. */
export const useAddressChange = (
  done?: (address: Address, changes: AddressChanges) => void,
): UseMutationResult<Address, Error, Change> => {
  const keep = useKeepAddress()
  return useMutation({
    mutationFn: ({ address, changes }: Change) => updateAddress(address.id, changes),
    onSuccess: (saved, { changes }) => {
      keep(saved)
      done?.(saved, changes)
    },
    onError: (error, { address }) =>
      toast({ tone: 'danger', title: `Couldn't update ${address.email}`, description: messageOf(error) }),
  })
}

/** Puts an answer of the service into the cache, and lets lists ask again. */
export const useKeepAddress = (): ((address: Address) => void) => {
  const queryClient = useQueryClient()
  return (address) => {
    queryClient.setQueryData(addressQuery(address.id).queryKey, address)
    void queryClient.invalidateQueries({ queryKey: [...ADDRESSES, 'of'] })
    void queryClient.invalidateQueries({ queryKey: [...ADDRESSES, 'all'] })
  }
}
