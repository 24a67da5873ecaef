export const DomainsScreen = () => null
