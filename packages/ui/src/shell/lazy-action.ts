import { toast } from '../feedback/toast-store.ts'

/** Does what needs more code than is here. Where it does not come, that is said, and nothing else happens. */
export const lazyAction = async (load: () => Promise<unknown>, action: () => void): Promise<void> => {
  try {
    await load()
  } catch (error) {
    console.error(error)
    toast({ tone: 'danger', title: "Couldn't load this", description: 'Check your connection and try again.' })
    return
  }
  action()
}
