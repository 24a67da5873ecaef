import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useState } from 'react'
import { startConsent } from './queries.ts'

/** Goes to a network's consent page, which leads back here. */
export const useConnect = () => {
  const [connecting, setConnecting] = useState<string>()
  const connect = async (network: string) => {
    setConnecting(network)
    try {
      const { url } = await startConsent(network)
      window.location.assign(url)
    } catch (error) {
      setConnecting(undefined)
      toast({ tone: 'danger', title: "Couldn't start connecting", description: messageOf(error) })
    }
  }
  return { connecting, connect: (network: string) => void connect(network) }
}
