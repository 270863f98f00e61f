"""How sure a number is: intervals by bootstrap, and two systems compared in pairs."""
