import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation } from '@tanstack/react-query'
import { checkOutMethod } from './queries.ts'

/** Leaves for the provider's page, where a card is typed in. */
export const useAddMethod = () =>
  useMutation({
    mutationFn: () => checkOutMethod(),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) =>
      toast({ tone: 'danger', title: "Couldn't open the payment page", description: messageOf(error) }),
  })
