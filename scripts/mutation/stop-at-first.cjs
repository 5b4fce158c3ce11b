/** For mutation tests: a generated test that fails has killed the mutant, so fast-check need not shrink its case. */
const fc = require('fast-check');

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
