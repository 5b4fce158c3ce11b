/** 1, 2, … n: the numbers of things that have nothing but their number, such as lamps. */
export const oneTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
