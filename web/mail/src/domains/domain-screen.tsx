export const DomainScreen = () => null
